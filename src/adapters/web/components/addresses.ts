import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Addresses, addressesAt } from '../addresses.js';

/** Where everything is, for all components of a page: only the server knows what it stands below. */
export const AddressesOfPage = createContext(addressesAt(''));

/** The addresses of the page that is being rendered. */
export function useAddresses(): Addresses {
  return useContext(AddressesOfPage);
}
