// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.step;

import dev.holdfast.demo.environment.DemoEnvironment;
import dev.holdfast.demo.report.StepHeading;
import dev.holdfast.demo.shop.EditRound;
import dev.holdfast.demo.shop.ShopObjects;
import dev.holdfast.demo.shop.Team;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;

/** One bad change in the middle of nine good ones. */
final class BadChangeStep implements Step {
  @Override
  public StepHeading heading(DemoEnvironment environment) {
    return StepHeading.of(
        "bad-change",
        "A bad change in the middle of nine good ones",
        environment.round() == EditRound.SCRIPTS ? scripts() : routes(),
        "All ten edits end up in one xDS resource, which a proxy accepts or rejects as a whole. One"
            + " bad edit blocks nine good ones, unless the control plane finds it.");
  }

  private static String scripts() {
    return "All ten teams edit the Lua script that marks their responses, at the same time. The"
        + " script of team payments loses a bracket. The object is valid. Only Envoy can tell"
        + " that the script does not compile.";
  }

  private static String routes() {
    return "All ten teams move to v3 at the same time. Team payments also adds a route for 600"
        + " customers, with a regular expression of "
        + String.format(Locale.ROOT, "%,d", ShopObjects.customers().length())
        + " characters. The object is valid, but each client limits the length of expressions,"
        + " and this gRPC client's limit is 4,096.";
  }

  @Override
  public void play(StepContext context) throws IOException {
    DemoEnvironment environment = context.environment();
    EditRound round = environment.round();
    context.act();
    environment.save(round.edit());
    context.awaitCheck(
        "the offending object is held: " + offender(round),
        () -> environment.controlPlane().admin().held().contains(offender(round)));
    context.awaitCheck(
        "calls to the nine other teams see their changes",
        () ->
            Arrays.stream(Team.values())
                .filter(team -> team != EditRound.OFFENDER)
                .allMatch(team -> environment.seen(team).equals(round.after())));
    context.awaitCheck(
        "the nine other objects are Programmed=True for their newest generation",
        () ->
            environment.controlPlane().admin().objects().stream()
                .filter(object -> object.kind().equals(round.kind()))
                .filter(object -> !object.id().equals(offender(round)))
                .allMatch(object -> object.isProgrammed()));
    context.check(
        "calls to payments get the same answers as before the edit",
        environment.seen(EditRound.OFFENDER).equals(round.before()));
  }

  static String offender(EditRound round) {
    return round.kind() + "/" + EditRound.OFFENDER.object();
  }
}
