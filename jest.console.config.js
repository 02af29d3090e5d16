import base from './jest.config.js';

/** Pages in a real Chromium before a running service: `npm run test:console`. */
export default { ...base, testMatch: ['<rootDir>/test/console/**/*.test.ts'] };
