/** The places that admission webhooks may name, as the operator of a deployment lists them. */
export { type DestinationList, FUNCTION_ARN, readDestinationList } from './destination-list.ts';
