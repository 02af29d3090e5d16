/** Addresses and ports of Services. Each belongs to one Service, and is free again when that Service is deleted. */
export { allocateService } from './allocate-service.ts';
