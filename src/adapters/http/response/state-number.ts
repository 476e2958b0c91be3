const numbers = new WeakMap<object, number>();
let last = 0;

/**
 * Returns the number of an immutable object, such as the array of all projects in one state of the catalogue: the same
 * one each time, and no other object's. For keys.
 */
export function stateNumber(state: object): number {
  let number = numbers.get(state);
  if (number === undefined) {
    last += 1;
    number = last;
    numbers.set(state, number);
  }
  return number;
}
