/** Unit and integration tests: `npm test`. They start their own emulators and need no network. */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/{unit,integration}/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2024' },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/cdk.out/'],
  testTimeout: 30_000,
};
