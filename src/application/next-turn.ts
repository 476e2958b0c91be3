/** Lets others have their turn: what has arrived meanwhile is answered first. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
