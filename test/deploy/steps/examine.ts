import assert from 'node:assert/strict';
import { winnowWith } from '../../support/service/run-cli.ts';
import type { Step } from '../trial.ts';

/** As anybody would, with the kubeconfig and the AWS variables of the target. */
export const examine: Step = {
  name: 'winnow doctor',
  run: async ({ deployment, options }) => {
    const { code, out, errors } = await winnowWith(
      options.target.variables,
      ...['doctor', '--kubeconfig', deployment.kubeconfig],
    );
    assert.equal(code, 0, `${out}${errors}`);
    assert.match(out, /^ {2}Every check succeeded\.$/m);
    return 'all that was checked is right';
  },
};
