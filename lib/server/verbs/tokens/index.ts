/** Requests for tokens of service accounts. Loaded when one is requested. */
export { requestToken } from './request-token.ts';
