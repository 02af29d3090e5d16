/** What a client sees of objects: as they are, as metadata, as a Table; and what a LIST did (explain). */
export {
  EXPLAIN_HEADER,
  type Explain,
  explainHeader,
  explainTable,
  explainText,
  readExplain,
} from './explain.ts';
export { listPieces } from './list-pieces.ts';
export { type Presenter, presenterOf } from './present.ts';
