import base from './jest.config.js';

/** Tests with real `kubectl` binaries, and with Kubernetes' Go package: `npm run test:conformance`. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/conformance/**/*.test.ts'],
};
