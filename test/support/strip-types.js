import { stripTypeScriptTypes } from 'node:module';

/** Takes the types out of a test's TypeScript, as Node does with the rest; the type check is `npm run typecheck`. */
export default {
  process: (source) => ({ code: stripTypeScriptTypes(source) }),
};
