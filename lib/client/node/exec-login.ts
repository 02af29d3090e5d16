import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Cluster, ExecEntry } from './kubeconfig.ts';

/** What an exec plugin returned: a token, or a certificate with its key as PEM, or both. */
export interface Credential {
  readonly token?: string | undefined;
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
  /** In ms since the Unix epoch. */
  readonly expires: number;
}

/** The output of an exec plugin. */
interface ExecCredential {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
  readonly status?: {
    readonly token?: unknown;
    readonly clientCertificateData?: unknown;
    readonly clientKeyData?: unknown;
    readonly expirationTimestamp?: unknown;
  };
}

const GROUP = 'client.authentication.k8s.io';
const VERSIONS = [`${GROUP}/v1`, `${GROUP}/v1beta1`];
const MODES = ['Never', 'IfAvailable', 'Always'];
/** The most characters of a plugin's messages in an error. */
const MOST_WORDS = 1_000;

/** The login by an exec plugin. It runs the plugin when a credential is needed, and again when it has expired. */
export class ExecLogin {
  readonly #entry: ExecEntry;
  readonly #cluster: Cluster;
  readonly #isInteractive: boolean;
  #running: Promise<Credential> | undefined;
  #credential: Credential | undefined;

  /** @throws {Error} the kubeconfig describes the plugin wrongly, or the plugin needs a terminal that is not there */
  constructor(entry: ExecEntry, cluster: Cluster) {
    const { apiVersion, interactiveMode } = entry;
    const where = `the exec entry of the command ${entry.command}`;
    if (!VERSIONS.includes(apiVersion)) {
      throw new Error(`${where} has the apiVersion "${apiVersion}"; use ${VERSIONS.join(' or ')}`);
    }
    // Only the older version has a default.
    const mode = interactiveMode ?? (apiVersion === VERSIONS[1] ? 'IfAvailable' : '');
    if (!MODES.includes(mode)) {
      throw new Error(`${where} has the interactiveMode "${mode}"; use ${MODES.join(', ')}`);
    }
    const hasTerminal = process.stdin.isTTY === true;
    if (mode === 'Always' && !hasTerminal) {
      throw new Error(`${where} needs a terminal (interactiveMode: Always), and there is none`);
    }
    this.#entry = entry;
    this.#isInteractive = mode !== 'Never' && hasTerminal;
    this.#cluster = cluster;
  }

  /**
   * Returns the credential, and runs the plugin if there is none that is valid.
   *
   * @throws {Error} the plugin is missing or failed. The error has its messages, and never its output
   */
  async credential(): Promise<Credential> {
    if (this.#credential !== undefined && Date.now() < this.#credential.expires) return this.#credential;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    this.#credential = await this.#running;
    return this.#credential;
  }

  /** Forgets a credential that the server refused. */
  forget(isRefused: (credential: Credential) => boolean): void {
    if (this.#credential !== undefined && isRefused(this.#credential)) this.#credential = undefined;
  }

  async #run(): Promise<Credential> {
    const { apiVersion, command, args, env, installHint, provideClusterInfo } = this.#entry;
    const cluster = provideClusterInfo ? { cluster: await clusterInfo(this.#cluster) } : {};
    const spec = { interactive: this.#isInteractive, ...cluster };
    const info = JSON.stringify({ apiVersion, kind: 'ExecCredential', spec });
    return new Promise((resolve, reject) => {
      const shared = this.#isInteractive ? 'inherit' : 'pipe';
      const child = spawn(command, args, {
        env: { ...process.env, ...env, KUBERNETES_EXEC_INFO: info },
        stdio: [this.#isInteractive ? 'inherit' : 'ignore', 'pipe', shared],
      });
      let [output, words] = ['', ''];
      child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
        output += piece;
      });
      child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
        words = `${words}${piece}`.slice(-MOST_WORDS);
      });
      child.on('error', ({ code }: NodeJS.ErrnoException) => {
        const what = code === 'ENOENT' ? 'was not found' : `did not start: ${code}`;
        const hint = installHint === undefined ? '' : `\n${installHint}`;
        reject(new Error(`the login command ${command} ${what}${hint}`));
      });
      child.on('close', (code, killer) => {
        const said = words.trim() === '' ? '' : `: ${words.trim()}`;
        const end = killer ?? `exit code ${code}`;
        if (code !== 0) return reject(new Error(`the login command ${command} ended with ${end}${said}`));
        try {
          resolve(this.#read(output));
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  #read(output: string): Credential {
    const { apiVersion, command } = this.#entry;
    const fault = (what: string) => new Error(`the login command ${command} printed ${what}`);
    const { kind, status, apiVersion: version } = parse(output);
    if (kind !== 'ExecCredential') throw fault('no ExecCredential');
    if (version !== apiVersion) throw fault(`the apiVersion ${version}; the kubeconfig has ${apiVersion}`);
    const {
      token,
      clientCertificateData: certificate,
      clientKeyData: key,
      expirationTimestamp,
    } = status ?? {};
    if (!isOptionalText(token) || !isOptionalText(certificate) || !isOptionalText(key)) {
      throw fault('an ExecCredential whose status has values that are not text');
    }
    if (!certificate !== !key) throw fault('a certificate without its key, or a key without its certificate');
    if (!token && !certificate) throw fault('an ExecCredential with neither a token nor a certificate');
    const expires = expirationTimestamp ? Date.parse(String(expirationTimestamp)) : Number.POSITIVE_INFINITY;
    if (Number.isNaN(expires)) throw fault('an expirationTimestamp that is not a time');
    return {
      token: token ?? undefined,
      certificate: certificate ?? undefined,
      key: key ?? undefined,
      expires,
    };
  }
}

/** The cluster as plugins read it: with the authority itself, also if the kubeconfig names its file. */
async function clusterInfo({ server, serverName, skipsVerification, execConfig, ...cluster }: Cluster) {
  const { authorityData, authorityFile } = cluster;
  const ofFile = authorityFile === undefined ? undefined : (await readFile(authorityFile)).toString('base64');
  return {
    server,
    'tls-server-name': serverName,
    'insecure-skip-tls-verify': skipsVerification || undefined,
    'certificate-authority-data': authorityData ?? ofFile,
    config: execConfig,
  };
}

function parse(output: string): ExecCredential {
  try {
    return JSON.parse(output) ?? {};
  } catch {
    return {};
  }
}

/** In JSON of Go, null is an absent field. */
function isOptionalText(value: unknown): value is string | null | undefined {
  return value === undefined || value === null || typeof value === 'string';
}
