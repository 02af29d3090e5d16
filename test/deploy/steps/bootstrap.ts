import type { Step } from '../trial.ts';

export const bootstrap: Step = {
  name: 'cdk bootstrap',
  run: async ({ options }) => {
    await options.cdk.bootstrap();
    return options.target.environment;
  },
};
