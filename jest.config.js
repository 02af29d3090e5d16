/** Unit and integration tests: `npm test`. They start their own emulators and need no network. */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/{unit,integration,simulation}/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '<rootDir>/test/support/esbuild-transform.js' },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/cdk.out/'],
  testTimeout: 30_000,
  maxWorkers: 2,
};
