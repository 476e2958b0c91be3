/** Weights and thresholds of the ranking for questions, for `test/judged/questions.json`; none belongs to a single question. */
export const QUESTION = {
  /** Pages whose text is read. */
  read: 40,
  /** Characters of a piece, and of the shortest that counts as short. */
  pieceLength: 1_500,
  minLength: 300,
  /** BM25. Of pieces of about the same length, the length tells less than usual. */
  k1: 1.2,
  b: 0.5,
  /** Times that a word in a heading, or in the title, counts. */
  heading: 3,
  title: 1,
  /** Weight of what the page as a whole is about, compared with a piece. */
  page: 0.3,
  /** Of a section that explains an identifier in the question. */
  definition: 0.6,
  /** Factor of pages about what was, or is to go. */
  past: 0.7,
} as const;
