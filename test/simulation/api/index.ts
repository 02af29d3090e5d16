/** The whole API in the simulated world. Only scenarios whose clients need the API load it. */
export { type Answered, type Ask, type Asked, serveApi, serveTogether } from './api-service.ts';
export { warmApi } from './warm-api.ts';
