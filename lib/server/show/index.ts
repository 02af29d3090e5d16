/** The forms in which clients see objects: whole, as metadata or as a Table; and the plan of a LIST (explain). */
export { EXPLAIN_HEADER, type Explain, loadPlanForms, readExplain } from './explain.ts';
export { listPieces, listText } from './list-pieces.ts';
export { type Presenter, presenterOf } from './present.ts';
export { storedJson } from './stored-json.ts';
