import 'reflect-metadata';

// The one way to the container: the build makes a single file of this module and the 240 that it stands for.
export { Container, ContainerModule, type ServiceIdentifier } from 'inversify';
