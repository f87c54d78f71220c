import { openProduct } from './product.ts'
import { readSettings } from './settings.ts'
const p = await openProduct(readSettings({WEB_DATABASE_URL: process.env.U ?? 'sqlite::memory:', SESSION_SECRET: 'x'.repeat(40)}))
console.log(await p.auth.api.signUpEmail({body:{email:'a@b.example',password:'hunter2hunter2',name:'A B',givenName:'A',familyName:'B',theme:'dark'}}))
const r = await p.auth.handler(new Request(p.publicUrl+'/api/auth/sign-in/email',{method:'POST',headers:{'content-type':'application/json',origin:p.publicUrl,'x-forwarded-for':'1.2.3.4'},body:JSON.stringify({email:'a@b.example',password:'hunter2hunter2'})}))
console.log(r.status, r.headers.getSetCookie())
console.log(await p.auth.api.getSession({headers:new Headers({cookie:r.headers.getSetCookie()[0].split(';')[0]})}))
await p.database.close()
