/** Addresses and ports of Services: each is one Service's alone, and given back with it. */
export { allocateService } from './allocate-service.ts';
