import { feature } from '../../feature.ts'
import { permissionEndpoints } from './permission-endpoints.ts'
import { roleEndpoints } from './role-endpoints.ts'

export const permissions = feature('permissions', {
  endpoints: [...roleEndpoints, ...permissionEndpoints],
})
