import { type ListTasksRequest, type ListTasksResponse, type Task, TaskState } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import type { Store, StoredRun } from "../../journal/store.ts";
import { type RunId, toRunId } from "../../vocabulary/ids.ts";
import { nameConversation } from "../name-conversation.ts";

const MAX_PAGE = 100;
const USUAL_PAGE = 50;

interface Listing {
  readonly store: Pick<Store, "list">;
  readonly crew: string;
  readonly user: string;
  readonly describe: (runId: RunId, historyLength: number | undefined) => Promise<Task>;
}

const statuses: Partial<Record<TaskState, StoredRun["status"]>> = {
  [TaskState.TASK_STATE_SUBMITTED]: "queued",
  [TaskState.TASK_STATE_WORKING]: "running",
  [TaskState.TASK_STATE_INPUT_REQUIRED]: "paused",
  [TaskState.TASK_STATE_COMPLETED]: "completed",
  [TaskState.TASK_STATE_FAILED]: "failed",
  [TaskState.TASK_STATE_CANCELED]: "cancelled",
};

/** The caller's own tasks, the newest first. Without being asked for, artifacts and history are left out. */
export async function listTasks(request: ListTasksRequest, listing: Listing): Promise<ListTasksResponse> {
  const { contextId, pageToken, historyLength = 0, includeArtifacts = false } = request;
  const pageSize = readPageSize(request.pageSize);
  const matching = await findMatching(request, listing);
  const from = pageToken === "" ? 0 : matching.findIndex(({ runId }) => runId === toRunId(pageToken)) + 1;
  if (pageToken !== "" && from === 0) throw new RequestMalformedError(`there is no page '${pageToken}'`);
  const page = matching.slice(from, from + pageSize);
  const tasks = await Promise.all(page.map(({ runId }) => listing.describe(runId, historyLength)));
  return {
    tasks: tasks.map((task) => ({
      ...task,
      // The caller's own id of the context, where ours stands for it.
      ...(contextId !== "" && { contextId }),
      ...(!includeArtifacts && { artifacts: [] }),
    })),
    nextPageToken: from + pageSize < matching.length ? (page.at(-1)?.runId ?? "") : "",
    pageSize,
    totalSize: matching.length,
  };
}

async function findMatching(
  { contextId, status, statusTimestampAfter }: ListTasksRequest,
  { store, crew, user }: Listing,
): Promise<readonly StoredRun[]> {
  const isAny = status === TaskState.TASK_STATE_UNSPECIFIED;
  const wanted = statuses[status];
  // No run of a crew stands in any other way.
  if (!isAny && wanted === undefined) return [];
  const runs = await store.list({
    ...{ crew, user },
    ...(contextId !== "" && { conversation: nameConversation(contextId) }),
    ...(wanted !== undefined && { status: wanted }),
  });
  const after = statusTimestampAfter === undefined ? 0 : Date.parse(statusTimestampAfter);
  if (Number.isNaN(after)) throw new RequestMalformedError("'statusTimestampAfter' is not a time");
  return runs.filter(({ updatedAt }) => updatedAt >= after);
}

function readPageSize(size: number | undefined): number {
  if (size === undefined || size === 0) return USUAL_PAGE;
  if (size < 1 || size > MAX_PAGE || !Number.isInteger(size))
    throw new RequestMalformedError(`'pageSize' is a number from 1 to ${MAX_PAGE}`);
  return size;
}
