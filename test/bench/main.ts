/** `npm run bench -- NAME`: one of the benches below. See docs/benchmarks.md. */
import { benchAccess } from './access.ts';
import { benchBesideKubernetes } from './beside-kubernetes/beside-kubernetes.ts';
import { benchCeiling } from './ceiling/ceiling.ts';
import { benchCold } from './cold/cold.ts';
import { benchConsole } from './console/console.ts';
import { benchConsoles } from './consoles/consoles.ts';
import { benchDecode } from './decode.ts';
import { benchDelivery } from './delivery/delivery.ts';
import { benchFacets } from './facets/facets.ts';
import { benchHistory } from './history/history.ts';
import { Inputs } from './inputs/inputs.ts';
import { benchList } from './list/list.ts';
import { describeMachine } from './machine.ts';
import { benchMatch } from './match/match.ts';
import { benchObjects } from './objects/objects.ts';
import { readOptions, USAGE, UsageError } from './options.ts';
import { benchPlacement } from './placement/placement.ts';
import { Report } from './report.ts';
import { benchRequest } from './request/request.ts';
import { benchSelectors } from './selectors.ts';
import { benchSelects } from './selects/selects.ts';
import { CACHE } from './toolchain.ts';
import { benchWatch } from './watch/watch.ts';

const BENCHES = {
  selectors: benchSelectors,
  match: benchMatch,
  list: benchList,
  cold: benchCold,
  request: benchRequest,
  decode: benchDecode,
  delivery: benchDelivery,
  watch: benchWatch,
  placement: benchPlacement,
  selects: benchSelects,
  facets: benchFacets,
  access: benchAccess,
  ceiling: benchCeiling,
  history: benchHistory,
  objects: benchObjects,
  console: benchConsole,
  consoles: benchConsoles,
  'beside-kubernetes': benchBesideKubernetes,
};

try {
  const [name = '', ...given] = process.argv.slice(2);
  const bench = Object.entries(BENCHES).find(([known]) => known === name)?.[1];
  if (bench === undefined) throw new UsageError(`no such bench: ${name || '(none named)'}`);
  const options = readOptions(given);
  const report = new Report(options.json);
  report.machine(await describeMachine());
  await bench(options, new Inputs(CACHE), report);
  report.finish();
} catch (error) {
  console.error(
    error instanceof UsageError
      ? `${error.message}\n${USAGE}`
      : error instanceof Error
        ? error.message
        : error,
  );
  process.exitCode = 1;
}
