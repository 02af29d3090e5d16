/** The request rate of one user, counted over all processes, in deployments that limit it. */
export {
  createRequestBudget,
  type RefusedRequest,
  type RequestBudget,
  type RequestBudgetOptions,
} from './request-budget.ts';
