/** The ranking for questions. */
export * from './answer-question.js';
export * from './telling-words.js';
