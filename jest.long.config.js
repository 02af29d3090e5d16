import base from './jest.config.js';

// More of what `npm test` has some of. What is set already stays.
process.env.WINNOW_OBJECTS ??= '1000';
process.env.WINNOW_LIVES ??= '3,7';
process.env.WINNOW_CRASHES ??= 'half';
process.env.WINNOW_SIMULATION_SEEDS ??= '8';
process.env.WINNOW_CASES ??= '3';
process.env.WINNOW_TORN_COPIES ??= '40';

/** What takes long by nature, or needs the network: `npm run test:long`. */
export default {
  ...base,
  testMatch: [
    '<rootDir>/test/**/*.long.test.ts',
    '<rootDir>/test/integration/service/realistic.test.ts',
    '<rootDir>/test/simulation/{dispatchers,queues,readers,owners}.test.ts',
    '<rootDir>/test/unit/selectors/match-index.test.ts',
    '<rootDir>/test/unit/selectors/algebra/properties.test.ts',
    '<rootDir>/test/unit/{delivery,controllers/collect}/crashes.test.ts',
    '<rootDir>/test/unit/delivery/restore.test.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 3_600_000,
};
