/** The whole API in the simulated world, for those scenarios alone whose clients need it. */
export { type Answered, type Ask, type Asked, serveApi, serveTogether } from './api-service.ts';
export { warmApi } from './warm-api.ts';
