import { type Endpoints, MANAGER } from '../../../lib/kubernetes/endpoints/index.ts';
import { GoOracle } from '../harness/go-oracle.ts';
import { type Answer, comparable } from './answer.ts';
import { writeOrderedModule } from './ordered-module.ts';
import type { Question } from './worlds.ts';

const ORACLE = new GoOracle('endpoints');
const MANAGED_BY = 'endpoints.kubernetes.io/managed-by';
/** The manager of Endpoints in Kubernetes' answers. Their controller has a fixed name. */
const THEIR_MANAGER = 'endpoint-controller';

/** Builds the program that runs Kubernetes' reconciler, which takes minutes the first time. */
export function buildOracle(): void {
  ORACLE.buildWith(writeOrderedModule());
}

/** Returns the objects that Kubernetes writes for each question. */
export function askOracle(questions: readonly Question[]): Answer[] {
  const asked = questions.map((question) => ({
    ...question,
    controller: MANAGER,
    endpoints: question.endpoints && managedBy(THEIR_MANAGER, question.endpoints),
  }));
  const answers = ORACLE.ask(asked) as Answer[];
  return answers.map(({ slices, endpoints }, at) => {
    const create = endpoints.create.map((one) => managedBy(MANAGER, one));
    const update = endpoints.update.map((one) => managedBy(MANAGER, one));
    return comparable({ slices, endpoints: { create, update, delete: endpoints.delete } }, questions[at]);
  });
}

function managedBy(manager: string, { metadata, ...endpoints }: Endpoints): Endpoints {
  const labels = { ...metadata.labels, [MANAGED_BY]: manager };
  return { ...endpoints, metadata: { ...metadata, labels } };
}
