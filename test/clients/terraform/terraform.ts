import { deepEqual, equal, match } from 'node:assert/strict';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Attempt, Client } from '../client.ts';
import { execute } from '../execute.ts';
import { buildEdited } from '../go-module.ts';
import { trySteps } from '../outcome-of.ts';

/** The newest release that the Go module proxy has: the path of the module does not allow version 2. */
const VERSION = 'v1.13.4';
const MODULE = 'github.com/hashicorp/terraform-provider-kubernetes';
/** The module vbom.ml/util under its present name. */
const RENAMED = 'replace vbom.ml/util => github.com/fvbommel/util v0.0.3';

/** Terraform's Kubernetes provider, built from its Go module, with the Terraform of the machine. */
export const terraform: Client = {
  name: 'terraform',
  title: `Terraform, Kubernetes provider ${VERSION.slice(1)}`,
  install: async (folder) => {
    await execute('terraform', ['version'], { environment: { CHECKPOINT_DISABLE: '1' } });
    const program = join(folder, 'terraform-provider-kubernetes');
    await buildEdited(`${MODULE}@${VERSION}`, (goMod) => `${goMod}\n${RENAMED}\n`, { folder, program });
    return attempt(folder);
  },
};

const SHOP = '/api/v1/namespaces/shop';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/shop/deployments';
const UNCHANGED = /No changes\. Your infrastructure matches the configuration\./;

/** @param folder where the provider is */
function attempt(folder: string): Attempt {
  return async ({ kubeconfig, home, http }, tell) => {
    const directory = join(home, 'shop');
    const settings = join(home, 'terraformrc');
    await mkdir(directory);
    await copyFile(join(import.meta.dirname, 'shop.tf'), join(directory, 'shop.tf'));
    await writeFile(
      settings,
      `provider_installation {\n  dev_overrides { "hashicorp/kubernetes" = "${folder}" }\n}\n`,
    );
    const environment = {
      HOME: home,
      KUBECONFIG: kubeconfig,
      TF_CLI_CONFIG_FILE: settings,
      TF_IN_AUTOMATION: '1',
      CHECKPOINT_DISABLE: '1',
    };
    const run = (...args: readonly string[]) => execute('terraform', args, { directory, environment });
    const apply = (...args: readonly string[]) => run('apply', '-auto-approve', '-no-color', ...args);
    const plan = (...args: readonly string[]) => run('plan', '-no-color', ...args);
    const colour = async () => {
      const { data } = (await http.get(`${SHOP}/configmaps/settings`)).body as { data?: { colour: string } };
      return data?.colour;
    };
    await trySteps(
      {
        apply: async () => {
          match(await apply(), /7 added, 0 changed, 0 destroyed/);
          equal(await colour(), 'blue');
          deepEqual(await http.names(DEPLOYMENTS), ['web']);
        },
        'plan without changes': async () => {
          match(await plan(), UNCHANGED);
        },
        'a data source, an output': async () => {
          const { spec } = (await http.get(`${SHOP}/services/web`)).body as { spec?: { clusterIP: string } };
          equal(JSON.parse(await run('output', '-json', 'address')), spec?.clusterIP);
        },
        'takes back a change by hand': async () => {
          await http.merge(`${SHOP}/configmaps/settings`, { data: { colour: 'red' } });
          match(await plan(), /"colour" = "red" -> "blue"/);
          match(await apply(), /0 added, 1 changed, 0 destroyed/);
          equal(await colour(), 'blue');
        },
        'creates a deleted object again': async () => {
          await http.delete(`${SHOP}/secrets/password`);
          match(await apply(), /1 added, 0 changed, 0 destroyed/);
        },
        'updates in place': async () => {
          const changed = ['-var=colour=green', '-var=replicas=3'];
          match(await apply(...changed), /0 added, 2 changed, 0 destroyed/);
          match(await plan(...changed), UNCHANGED);
          equal(await colour(), 'green');
          match(await apply(), /0 added, 2 changed, 0 destroyed/);
        },
        import: async () => {
          await run('state', 'rm', 'kubernetes_config_map.settings');
          await run('import', '-no-color', 'kubernetes_config_map.settings', 'shop/settings');
          match(await plan(), UNCHANGED);
        },
        destroy: async () => {
          match(await run('destroy', '-auto-approve', '-no-color'), /7 destroyed/);
          equal((await http.send('GET', SHOP)).status, 404);
        },
      },
      tell,
    );
  };
}
