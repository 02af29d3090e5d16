/**
 * Unit and integration tests, the simulation and the recorded answers of Kubernetes: `npm test`. They start their own
 * emulators and need no network. The time limit is for what never ends: no test fails because the machine is slow.
 */
export default {
  testEnvironment: '<rootDir>/test/support/test-environment.js',
  testMatch: ['<rootDir>/test/{unit,integration,simulation,golden}/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '\\.long\\.test\\.ts$'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '<rootDir>/test/support/strip-types.js' },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/cdk.out/'],
  testTimeout: 600_000,
  maxWorkers: 3,
};
