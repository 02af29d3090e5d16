/** TODO */
export type { DefinitionStatuses } from './definition-statuses-contract.ts';
