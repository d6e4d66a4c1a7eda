import type { EventData, EventPlace, EventType } from "../vocabulary/events.ts";
import type { RunCore } from "./run-core.ts";
import { type Scope, ScopeClosed } from "./scope.ts";

/** Something that is known outside the run, and takes time to find out. */
export interface Consultation<Data> {
  ask(): Promise<Data>;
  /** Undoes what asking has changed, where the scope was closed in the meantime. */
  takeBack(): void;
}

/** Finds something out, on record; over recorded ground it is what it was then, and comes when it came. */
export function consult<Type extends EventType>(
  core: RunCore,
  place: EventPlace,
  scope: Scope,
  type: Type,
  consultation: Consultation<EventData[Type]>,
): Promise<EventData[Type]> {
  if (scope.isClosed) return Promise.reject(new ScopeClosed(scope.reason));
  const { recording, delivery } = core;
  return new Promise((resolve, reject) => {
    let isClosed = false;
    const closable = {
      close(reason: string) {
        isClosed = true;
        recording.forget(place.path);
        reject(new ScopeClosed(reason));
      },
    };
    const take = (data: EventData[Type]) => {
      scope.remove(closable);
      resolve(data);
    };
    const letIn = (data: EventData[Type]) => {
      delivery.finished();
      if (isClosed) consultation.takeBack();
      else take(core.emit(place, type, data).data);
    };
    const ask = () => {
      // In a run that is paused nothing is under way.
      if (core.isOver()) return;
      delivery.started();
      consultation.ask().then(
        (data) => delivery.now(() => letIn(data)),
        (error: unknown) => {
          delivery.finished();
          scope.remove(closable);
          reject(error);
        },
      );
    };
    scope.add(closable);
    // A recorded event has the type that is waited for.
    const onResult = (event: { readonly data: unknown }) => take(event.data as EventData[Type]);
    if (recording.isLeft()) recording.wait(place.path, { type, onResult, onEnd: ask, onStuck: reject });
    else ask();
  });
}
