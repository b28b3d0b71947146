// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import static io.grpc.LoadBalancer.HEALTH_CONSUMER_LISTENER_ARG_KEY;

import io.grpc.LoadBalancer.CreateSubchannelArgs;
import io.grpc.LoadBalancer.Helper;
import io.grpc.LoadBalancer.Subchannel;
import io.grpc.util.ForwardingLoadBalancerHelper;

/**
 * For a policy above that can follow subchannels of one address only: whoever is below gets
 * subchannels of as many addresses as it likes, made of ones that have one each.
 */
final class SplittingHelper extends ForwardingLoadBalancerHelper {
  private final Helper helper;

  SplittingHelper(Helper helper) {
    this.helper = helper;
  }

  @Override
  protected Helper delegate() {
    return helper;
  }

  @Override
  public Subchannel createSubchannel(CreateSubchannelArgs args) {
    // A policy that listens to health has one subchannel for each address by itself.
    return args.getOption(HEALTH_CONSUMER_LISTENER_ARG_KEY) == null
        ? new SplitSubchannel(helper, args)
        : helper.createSubchannel(args);
  }
}
