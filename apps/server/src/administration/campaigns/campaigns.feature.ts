import { feature } from '../../feature.ts'
import { campaignEndpoints } from './campaign-endpoints.ts'
import { campaignStart, campaignStop } from './campaign-life.ts'
import { countingReads, countReads } from './count-reads.ts'
import { erasingRun } from './erase-run.ts'
import { sendingCampaign } from './send-campaign.ts'

export const campaigns = feature('campaigns', {
  endpoints: campaignEndpoints,
  tasks: [sendingCampaign, countingReads, erasingRun],
  scheduledJobs: [campaignStart, campaignStop, countReads],
})
