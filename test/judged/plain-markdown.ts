/** A text without white space and the marks of Markdown, targets of links and anchors: what is judged is the text. */
export const plain = (text: string) =>
  text.replace(/ \{#[^}\n]*\}|(?<=\])\([^)]*\)/g, '').replace(/[\s`*\\|>#[\]_~]/g, '');
