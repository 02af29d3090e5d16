import base from './jest.config.js';

/** Beside a whole kube-apiserver, which takes minutes to build: only where it is asked for by its name. */
const SERVER = 'kube-apiserver';
const isAsked = process.argv.some((argument) => argument.includes(SERVER));

/** Tests with real `kubectl` binaries, and with Kubernetes' Go packages: `npm run test:conformance`. */
export default {
  ...base,
  testPathIgnorePatterns: isAsked ? ['/node_modules/'] : ['/node_modules/', `/conformance/${SERVER}/`],
  testMatch: ['<rootDir>/test/conformance/**/*.test.ts'],
};
