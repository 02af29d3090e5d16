import { eventually } from '../../support/eventually.ts';
import type { Step } from '../trial.ts';

/** The schedule's first work is the namespace `default`. */
export const awaitSchedule: Step = {
  name: 'the schedule',
  run: async ({ deployment }) => {
    const look = async () => (await deployment.http.send('GET', '/api/v1/namespaces/default')).status === 200;
    await eventually('the schedule made the namespace default', look, 150_000);
    return 'made the namespace default';
  },
};
