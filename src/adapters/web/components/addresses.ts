import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Addresses, addressesAt } from '../addresses.js';

/** Context with the addresses for all components of a page, which depend on the server's base path. */
export const AddressesOfPage = createContext(addressesAt(''));

/** Returns the addresses for the page that is being rendered. */
export function useAddresses(): Addresses {
  return useContext(AddressesOfPage);
}
