/** The index of a revision cannot be used: it is missing, damaged, or of another format. It has to be built again. */
export class UnusableIndex extends Error {
  override readonly name = 'UnusableIndex';
}
