import base from './jest.config.js';

/** Beside servers that take minutes to build: only where they are asked for by their names. */
const SERVERS = ['e2e', 'e2e-controllers', 'kube-apiserver', 'service-discovery'];
const [, , ...asked] = process.argv;
const unasked = SERVERS.filter((server) => !asked.some((argument) => argument.includes(server)));

/** Tests with real `kubectl` binaries, and with Kubernetes' Go packages: `npm run test:conformance`. */
export default {
  ...base,
  testPathIgnorePatterns: ['/node_modules/', ...unasked.map((server) => `/conformance/${server}/`)],
  testMatch: ['<rootDir>/test/conformance/**/*.test.ts'],
};
