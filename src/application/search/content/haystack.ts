/** A text that is looked through: a string, or something that reads like one. */
export type Haystack = Pick<string, 'length' | 'indexOf' | 'charCodeAt' | 'slice'>;
