import { feature } from '../../feature.ts'
import { importEndpoints } from './import-endpoints.ts'
import { uploadRoutes } from './import-uploads.ts'
import { forgettingImport, importing } from './run-import.ts'

export const imports = feature('imports', {
  endpoints: importEndpoints,
  routes: uploadRoutes,
  tasks: [importing, forgettingImport],
})
