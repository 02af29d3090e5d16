import { KubeConfig } from '@kubernetes/client-node';
import type { LocalOptions } from '../../../infra/local/start-local.ts';
import { type Service, startService } from '../../support/service/service.ts';

export interface Connection {
  readonly service: Service;
  readonly config: KubeConfig;
  /** Stops the service. Fails if the functions logged problems. */
  stop(): Promise<void>;
}

/** Starts Winnow with the client configuration that the kubeconfig of `npm start` gives. */
export async function connect(options: Pick<LocalOptions, 'streaming'> = {}): Promise<Connection> {
  const service = await startService(options);
  const config = new KubeConfig();
  config.loadFromClusterAndUser(
    { name: 'winnow', server: service.winnow.url, skipTLSVerify: true },
    { name: 'local' },
  );
  return {
    service,
    config,
    stop: async () => {
      await service.stop();
      if (service.problems.length > 0) throw new Error(service.problems.join('\n'));
    },
  };
}
