it('[APP-29] an owner deletes an organization: its members see it gone, and their conversations stay', {
  timeout: 240_000,
}, async () => {
  const there = stack.webs[0]!.url
  const ada = await room.member(there, 'ada@northwind.example', '/chat')
  await opens(ada, /^Samir Haddad/)
  await ada.page.getByText('Hansen & Vogt Logistik').first().waitFor()
  const samir = await room.member(there, 'samir@hansenvogt.example', '/organizations/hansenvogt/members')
  await samir.page.getByRole('heading', { level: 1, name: 'Hansen & Vogt Logistik' }).waitFor()
  expect(await samir.page.getByRole('button', { name: 'Organisation löschen' }).count()).toBe(0)

  const dana = await room.member(there, 'dana@hansenvogt.example', '/organizations/hansenvogt/members')
  await dana.page.getByRole('button', { name: 'Organisation löschen' }).focus()
  await dana.page.keyboard.press('Enter')
  const dialog = dana.page.getByRole('alertdialog', { name: 'Hansen & Vogt Logistik löschen?' })
  await dialog.waitFor()
  await dana.isForEverybody('delete-organization')
  await dana.page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await dana.page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Organisation löschen' }).press('Enter')
  await dana.page.waitForURL(/\/organizations$/)
  await dana.page.getByRole('heading', { level: 1 }).waitFor()
  expect(await dana.page.getByRole('main').getByText('Hansen & Vogt Logistik').count()).toBe(0)
  await dana.isForEverybody('organization-deleted')

  // Ada has the conversation open; Samir comes back to it.
  await ada.page.getByText('Samir Haddad is online').waitFor()
  expect(await ada.page.getByText('Hansen & Vogt Logistik').count()).toBe(0)
  await samir.page.reload()
  await samir.page.getByRole('heading', { name: 'Hier ist nichts' }).waitFor()
  await samir.page.getByRole('link', { name: 'Zurück zum Start' }).click()
  await samir.page.getByText('Sie gehören noch keiner Organisation an').waitFor()
  await samir.page.getByRole('main').getByRole('link', { name: 'Ada Lindqvist' }).click()
  await samir.message('Gate 3, noted. Thank you!').waitFor()
  const composer = samir.page.getByRole('textbox', { name: 'Nachricht an Ada Lindqvist' })
  await composer.fill('Wir schreiben uns weiter')
  await composer.press('Enter')
  await ada.sees('Wir schreiben uns weiter')
  for (const visitor of [ada, samir, dana]) visitor.isWell()
})

