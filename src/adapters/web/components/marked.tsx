import { piecesOf, type SearchTerm } from '../../../domain/index.js';

/** Text with the matches of a search marked. */
export function Marked({ text, search }: { readonly text: string; readonly search: SearchTerm }) {
  if (search.isEmpty) return <>{text}</>;
  return (
    <>
      {piecesOf(text, search).map((piece, index) =>
        piece.isMatch ? <mark key={index}>{piece.text}</mark> : piece.text,
      )}
    </>
  );
}
