import base from './jest.config.js';

/** What takes long by nature, or needs the network: `npm run test:long`. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/**/*.long.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 1_200_000,
};
