import type { Batch } from '../database/batch.ts'
import { campaignTo } from './campaign-store.ts'

/** The id of a campaign that is scheduled or under way and goes to a segment; undefined when there is none. */
export function campaignUnderWay({ db, dialect }: Batch, app: string, segmentId: string): Promise<string | undefined> {
  return campaignTo(db, dialect, app, segmentId)
}
