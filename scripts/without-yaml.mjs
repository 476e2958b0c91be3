// In place of the package `yaml` in the client's file, which it would make larger by a third for one command.
throw new Error(
  "is no JSON, and the client's single file reads no YAML; convert it to JSON, or use an installed lectern",
);
