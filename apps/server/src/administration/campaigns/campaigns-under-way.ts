import type { Batch } from '../../platform/database/batch.ts'
import { campaignTo } from './campaign-store.ts'

/** The id of a scheduled or running campaign that targets a segment; undefined when there is none. */
export function campaignUnderWay({ db, dialect }: Batch, app: string, segmentId: string): Promise<string | undefined> {
  return campaignTo(db, dialect, app, segmentId)
}
