const { join } = require('node:path');

/** Where tests start a table or queues, they get some in memory: they say the same, at a small part of the cost. */
const IN_MEMORY = join(__dirname, 'in-memory');
const REPLACED = new Map(
  ['store/table.ts', 'watch/test-queues.ts'].map((file) => [
    join(__dirname, '../support', file),
    join(IN_MEMORY, file.slice(file.indexOf('/'))),
  ]),
);

module.exports = (request, options) => {
  const path = options.defaultResolver(request, options);
  return (options.basedir !== IN_MEMORY && REPLACED.get(path)) || path;
};
