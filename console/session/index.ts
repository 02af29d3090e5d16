/** The session of the page with the console's process. */
export {
  openSession,
  type SessionInfo,
  type SessionPhase,
  sessionFetch,
  sessionInfo,
  sessionPhase,
  whyClosed,
} from './session.ts';
